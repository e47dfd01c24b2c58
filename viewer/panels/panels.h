#pragma once
#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <typeindex>
#include <vector>

#include "gpu/bench/paper_figure.h"
#include "gpu/core/format.h"
#include "gpu/tracks/facets/counted.h"
#include "viewer/draw/painter.h"
#include "viewer/model/cell_look.h"
#include "viewer/model/commands.h"
#include "viewer/model/figures.h"
#include "viewer/model/model.h"
#include "viewer/model/small_scene.h"
#include "viewer/ui/code_field.h"
#include "viewer/ui/colormaps.h"
#include "viewer/ui/layout.h"
#include "viewer/ui/plot/figure.h"
#include "viewer/ui/widgets.h"

namespace warploom {

namespace ui {
struct CodeField;
}

/// What file dialogs keep.
struct FileDialogState {
  static constexpr std::size_t most_recent = 8;
  std::filesystem::path folder;      ///< where names are looked up; empty: where the program was started
  std::vector<std::string> recent;   ///< paths, the last used first; kept with the session
  std::vector<std::string> entries;  ///< of `listed_folder`
  std::filesystem::path listed_folder;
  double read_at = -1;          ///< ImGui's time; below 0: not yet
  int row = -1;                 ///< of those listed, the one that Enter takes; -1: none
  std::string kind;             ///< which dialog it is
  std::string proposed, typed;  ///< what the field held when it opened; what the rows are filtered by
};

/// What the panels keep between frames besides the model: nothing that a scene would miss.
struct PanelState {
  ui::Layout layout;
  int window_width = 0, window_height = 0;  ///< as last seen, for the next start; 0: not seen
  std::vector<ui::Colormap> colormaps;
  /// The colours of data, of every picture: made once for a map and a ground.
  struct DataColours {
    std::string map;
    bool light = false;
    std::array<Rgba, Palette::steps> steps = {};
  } data_colours;
  ui::Crosshair crosshair;
  std::optional<Cell> last_painted;         ///< of the stroke under way
  bool stroke = false;                      ///< it has painted a cell
  std::map<double, double> drawn;           ///< of the stroke over an input under way: values by their places along it
  std::vector<ImVec2> drawn_line;           ///< ... on screen
  int dragged_plane = -1;                   ///< track, + 4 at the side; -1: none
  bool other_costs = false;                 ///< of the timings, those that are not the kernel's are shown
  std::string picture_theme;                ///< of the picture that is being saved alone; empty: the window's
  double dragged_handle = -1;               ///< where a figure's handle is while it is dragged; below 0: it is not
  float foot_height = 0;                    ///< what the right panel's foot needed last
  std::pair<std::string, float> held_card;  ///< that the mouse is over, and where it begins in the panel's content
  ui::Rectangle centre;                     ///< where the pictures are, in this frame
  ui::Area dialog;                          ///< the dialog in front, in this frame
  float caption_height = 0;                 ///< what the words below everything needed last
  float head_height = 0;                    ///< what the verdict above the pictures needs in this frame
  std::string path_text;
  /// A field that filters what its dialog lists.
  struct Search {
    std::string text;
    bool open = false;   ///< it was there in the frame before
    bool again = false;  ///< it is to take the focus once more
  } palette, help, glossary;
  int palette_row = -1;         ///< of those listed, the one that Enter runs; -1: none
  std::string palette_filter;   ///< that it is a row of
  bool prompt_focused = false;  ///< that of the path prompt
  std::string may_replace;      ///< the file that the user was asked about: the next Save replaces it
  FileDialogState files;
  std::string pin_text;                       ///< while it is typed
  bool pin_focused = false;                   ///< its field has taken the focus since it opened
  std::string figure_text;                    ///< of the plot that is being saved
  std::array<ui::Rectangle, 4> side_areas{};  ///< of the panes at the tracks' sides, in this frame
  std::vector<Selection> places_in_view;      ///< pins and marked places that this frame drew within a picture
  std::vector<std::string> hidden_marks;      ///< paths of marked widgets that the last frame had out of sight
  ui::Rectangle strip_area;                   ///< of a tour's strip, in this frame
  bool strip_cut = false;                     ///< ... whose words have no room
  ui::Rectangle figure_area;                  ///< of the large plot while it is captured alone; else empty
  static constexpr std::size_t most_frames = 240;
  std::vector<double> frame_ms, ui_ms, interop_ms;  ///< what the last frames cost, newest last
  std::vector<double> plotted_frame_ms;             ///< as their plot shows them, a few times a second
  double frames_plotted_at = -1;
  std::array<ui::DrawCache, 3> plot_drawings;  ///< of the plots below the pictures
  void add_frame(const FrameTimes& times);
  /// Timings as shown, looked up a few times a second.
  struct Shown {
    double at = -1;
    std::vector<KernelTiming> table;
    std::vector<std::optional<Ratio>> ratios;
    std::size_t baseline = 0;  ///< that they are against
    bool waits = false;        ///< newer ones may be there, that the next frames show
    double interop = 0;        ///< of the last frame that painted

    /// The row of a track's kernel; null: it has none yet.
    const KernelTiming* find(const std::string& kernel, std::size_t track) const {
      for (const auto& row : table)
        if (row.kernel == kernel && row.track == static_cast<int>(track)) return &row;
      return nullptr;
    }
    /// The baseline's time over a track's; nullopt: there is none.
    std::optional<Ratio> ratio(std::size_t track) const { return track < ratios.size() ? ratios[track] : std::nullopt; }
  } shown;
  /// Work per second that tracks reached since the start, by the size of their problem: of "kernel track unit".
  std::map<std::string, std::map<double, double>> rates;
  std::uint64_t rates_simulation = 0;  ///< whose timings go there, since when: those shown before are another's
  double rates_since = 0;
  /// For the figure of a paper: what the tracks compute, and what they reached at each size since the start.
  struct Paper {
    std::uint64_t simulation = 0;
    double since = 0, gathered = -1;
    Papers::Made made;
    const bench::PaperFigure* usual = nullptr;             ///< where the view names none
    std::map<std::string, std::map<double, double>> seen;  ///< "figure curve"
  } paper;
  /// The histogram of samples, made as often as `shown` is: it sorts thousands of them.
  struct Histogram {
    double at = -1;  ///< of what was shown then
    const ui::Theme* theme = nullptr;
    ui::Figure figure;
  } histogram;
  /// The verdict above the pictures: made where something is another that it is made of.
  struct Verdict {
    /// Words in one font, which may take several lines; or lines that are kept free.
    struct Words {
      ImFont* font;
      std::string text;
      int lines = 1;
    };
    std::string of;  ///< all that it is made of
    std::vector<Words> words;
    SceneSize size = SceneSize::none;
    std::pair<std::uint64_t, std::uint64_t> sized;  ///< the simulation and the change that it was found of
    std::uint64_t made = 0;                         ///< how many times
    /// Lines that any times may need beside these words.
    struct Free {
      std::string of;
      int lines = 0;
    } free;
  } verdict;
  /// What the inspector's cells hold, the hovered and the picked one. While the tracks play they are looked up ten
  /// times a second: no reader is faster, and each look waits for the device.
  struct Looked {
    std::uint64_t simulation = 0, version = 0;
    std::size_t track = 0;
    Cell cell;
    double at = -1;
    std::optional<CellLook> look;
  } looked, looked_at_kept;
  /// What the slow launch did so far, looked up where it is another.
  struct SlowLaunch {
    std::uint64_t simulation = 0, warps = SoFar::everything;
    std::array<std::optional<CountsSoFar>, 4> tracks;
  } slow;

  /// What cards and plots of one scene keep: a value of a type of their own, made when it is first asked for.
  template <class Own>
  Own& own() {
    auto& kept = own_[typeid(Own)];
    if (!kept) kept = std::make_shared<Own>();
    return *static_cast<Own*>(kept.get());
  }

 private:
  std::map<std::type_index, std::shared_ptr<void>> own_;
};

struct PanelContext {
  ui::UiContext& ui;
  Model& model;
  PanelState& state;
  std::shared_ptr<Simulation> simulation;  ///< of this frame; null before the first
  const Painter* painter = nullptr;        ///< null over a renderer that draws nothing
  std::vector<Want>* wants = nullptr;      ///< pictures this frame needs
  Queue* questions = nullptr;              ///< for what the window asks of tracks; null: nothing is asked
  /// Grounds of panels, that are cleared before anything is drawn; null: they are drawn with the panel.
  std::vector<std::pair<ui::Rectangle, ImU32>>* grounds = nullptr;
};

/// In place of figures that would tell the answer of a question.
inline constexpr const char* hidden_words = "?  Hidden until you answer.";

enum class PanelKind { fixed, scrolling, dialog };

/// A flat window without decoration over a rectangle; end it with ImGui::End. Dialogs are framed and lie in front.
void begin_panel(PanelContext& panel, const char* name, const ui::Rectangle& area, ImU32 ground, float padding_x,
                 float padding_y, PanelKind kind = PanelKind::fixed);

void top_bar(PanelContext& panel, const ui::Rectangle& area);
void status_bar(PanelContext& panel, const ui::Rectangle& area);
void left_panel(PanelContext& panel, const ui::Rectangle& area);
/// The column in which own maps are written.
void editor_panel(PanelContext& panel, const ui::Rectangle& area);
void source_panel(PanelContext& panel, const ui::Rectangle& area);
/// What is shown, in words.
void words_panel(PanelContext& panel, const ui::Rectangle& area);
/// Opens the example that is nearest to a track's map as a text of one's own.
void write_from(PanelContext& panel, const std::string& track);
/// What the selected thread computed at the lines of one of the active track's sources.
void show_values(PanelContext& panel, int file, ui::CodeField& field);
/// The words that own maps are written in (gpu/own/words.h), and what they define.
const std::vector<std::string_view>& own_words();
void right_panel(PanelContext& panel, const ui::Rectangle& area);
/// Pixels that the verdict needs in a bar of this width.
float verdict_height(const PanelContext& panel, float width);
/// The verdict above the pictures: what the tracks do against the baseline, large, then what to look at and the times.
void verdict_bar(PanelContext& panel, const ui::Rectangle& area);
/// The words below everything else: of a presentation, what is shown; and the timing table.
void captions(PanelContext& panel, const ui::Rectangle& area);
/// Where to begin.
void welcome_page(PanelContext& panel, const ui::Rectangle& area);
/// The strip of a tour, and the pixels that it takes at the foot; 0: no tour is open.
float strip_height(const PanelContext& panel);
void tour_strip(PanelContext& panel, const ui::Rectangle& area);
/// Brings marked widgets into sight, before anything is drawn; then, over everything, the rings round them.
void scroll_to_marks(PanelContext& panel);
void draw_rings(PanelContext& panel);
/// What is shown: the domain, the step, and what spoils a figure.
std::string caption_words(const PanelContext& panel);
/// The verdicts of all tracks, as they are shown, a sentence each.
std::vector<std::string> verdicts(const PanelContext& panel);
/// What to look at in the shown pictures, in whole sentences; empty: nothing stands out.
std::string look_at_text(const PanelContext& panel);
void plots_panel(PanelContext& panel, const ui::Rectangle& area);
/// What the mouse does over the pictures comes before anything of them is drawn.
enum class PanePass { mouse, drawing };
/// One of a track's pictures: the main one, or the one at its side. Each pass once a frame.
void picture_pane(PanelContext& panel, std::size_t track, const ui::Rectangle& area, bool side, PanePass pass);
/// What was picked, while something else is hovered; null: nothing, or no other.
const Selection* kept_pick(const Model& model);
/// Dims what shows tracks that do not match the parameters any more; nothing where they do.
void dim_stale(const PanelContext& panel, const ui::Rectangle& area, ImU32 ground);
/// The timing table: what was run where, then a line a track, side by side where they have room.
void timing_table(PanelContext& panel);
/// Help, palette, path prompt; and a notice, in the strip that is kept free for it.
void dialogs(PanelContext& panel, ImVec2 window, const ui::Rectangle& strip);
/// Pixels that the notice needs in a strip of this width; 0: there is none.
float notice_height(const PanelContext& panel, float width);

/// The path of the widgets of the topmost dialog; empty: none is open.
std::string dialog_path(const Model& model);

/// What a track's card says of its seal, and how good that is.
std::pair<std::string, ui::Role> seal_words(const Simulation& simulation, std::size_t track,
                                            bool judging_goes_on = true);
/// What it says of a user's map besides: "18.8 % waste", "compiling 0.3 s"; empty: nothing.
std::string written_words(Model& model, const Simulation& simulation, std::size_t track);
/// A link below the card of a user's map that fails: to the cell, or to the line and the block.
void written_link(PanelContext& panel, std::size_t track);
/// Goes there: selects the cell and brings it into view, or the block, and the line in the editor. False: nothing
/// fails.
bool go_where_it_fails(PanelContext& panel, std::size_t track);
/// Selects a cell, and brings it into view.
void go_to_cell(PanelContext& panel, std::size_t track, Cell cell);
/// 0.0412 with as many digits as fit a column, and no more than so many significant ones. A dash: it is not known.
std::string milliseconds_text(double milliseconds, int figures = 9);
/// A ratio with its interval; of too few pairs for one, how many there are.
std::string ratio_text(const Ratio& ratio);
/// "320 of 6 561 threads: 120 useful, 200 wasted", and shorter ways to say it; none where all is shown.
std::vector<std::string> slow_launch_words(const PanelContext& panel, std::size_t track);

/// What has the keyboard now, besides the commands.
KeysOf keys_of();
void find_and_run(Model& model, const char* command);

/// Looks up timings and what the slow launch did, where no window does it.
void refresh_shown(PanelContext& panel);

/// The whole window: arrangement, panels, splitters, dialogs. Call between NewFrame and Render.
void compose(PanelContext& panel, ImVec2 window);

}  // namespace warploom
